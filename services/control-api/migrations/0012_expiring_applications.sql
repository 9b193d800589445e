-- Applications that end by themselves, which private ones may be allowed to make.
ALTER TABLE applications
  ADD COLUMN can_create_expiring_applications boolean NOT NULL DEFAULT false,
  ADD COLUMN expires_at timestamptz,
  DROP CONSTRAINT applications_type_check,
  ADD CONSTRAINT applications_type_check CHECK (type IN ('private', 'public', 'management', 'expiring')),
  ADD CONSTRAINT applications_expire CHECK ((type = 'expiring') = (expires_at IS NOT NULL));

-- Those that are over, and those that an application has made.
CREATE INDEX applications_over ON applications (expires_at) WHERE expires_at IS NOT NULL;
CREATE INDEX applications_made ON applications (created_by, expires_at) WHERE expires_at IS NOT NULL;
