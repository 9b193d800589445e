-- off, report, mask or refuse; null: the tenant's setting.
ALTER TABLE proxies ADD COLUMN response_guard text;
ALTER TABLE reactors ADD COLUMN response_guard text;
