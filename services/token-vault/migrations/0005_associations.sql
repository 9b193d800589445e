-- Directed: which tokens belong to which.
CREATE TABLE token_association (
  tenant_id  uuid        NOT NULL,
  parent_id  text        NOT NULL,
  child_id   text        NOT NULL,
  created_by uuid        NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, parent_id, child_id),
  FOREIGN KEY (tenant_id, parent_id) REFERENCES token (tenant_id, id) ON DELETE CASCADE,
  FOREIGN KEY (tenant_id, child_id) REFERENCES token (tenant_id, id) ON DELETE CASCADE
);

CREATE INDEX token_association_child ON token_association (tenant_id, child_id);
