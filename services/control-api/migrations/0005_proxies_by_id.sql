-- Proxies are published under their ids too: a new id for the installation has the projection made anew.
UPDATE installation SET id = gen_random_uuid();
