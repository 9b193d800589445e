-- A draft is a version that nothing was changed to: its number is taken, and its definition kept. An earlier release of the
-- service knows none, and may give a draft's number to a change: that change then replaces the draft.
ALTER TABLE proxy_versions ADD COLUMN draft boolean NOT NULL DEFAULT false;
ALTER TABLE reactor_versions ADD COLUMN draft boolean NOT NULL DEFAULT false;
ALTER TABLE reactor_formula_versions ADD COLUMN draft boolean NOT NULL DEFAULT false;
