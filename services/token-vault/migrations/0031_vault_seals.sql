-- Each time that an operator has sealed the vaults. The row without an end is in force; there is one at most.
CREATE TABLE vault_seal (
  number      integer     PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  sealed_at   timestamptz NOT NULL DEFAULT now(),
  unsealed_at timestamptz
);

CREATE UNIQUE INDEX vault_seal_in_force ON vault_seal ((true)) WHERE unsealed_at IS NULL;

-- Vaults that have dropped their keys for it, by the connection on which each looks.
CREATE TABLE vault_key_drop (
  seal_number integer     NOT NULL REFERENCES vault_seal,
  backend_pid integer     NOT NULL,
  dropped_at  timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (seal_number, backend_pid)
);
