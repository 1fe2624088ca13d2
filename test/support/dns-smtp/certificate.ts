/** Self-signed certificate for another name (`elsewhere.example`), expired in 2001, with its key, which protects nothing. */
export const untrusted = {
  cert: `-----BEGIN CERTIFICATE-----
MIIBIDCBxgIBATAKBggqhkjOPQQDAjAcMRowGAYDVQQDDBFlbHNld2hlcmUuZXhh
bXBsZTAeFw0wMDAxMDEwMDAwMDBaFw0wMTAxMDEwMDAwMDBaMBwxGjAYBgNVBAMM
EWVsc2V3aGVyZS5leGFtcGxlMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE6Ygo
RV67RLiE2ih5cFdJl0Pg8swO767VLpAIU6rlX6P6pG/txwbvX5Ny0XsHc4bysCJi
mDv3dFHnVQcVyS0HpTAKBggqhkjOPQQDAgNJADBGAiEA78Y2elp2frf4p09XwD+7
3fmq2Un+TY3GAVUCu2G8qKACIQCiAgpYD9UD/UA3aImDq0lX57qKXRC8a8r3jLi/
aRppIg==
-----END CERTIFICATE-----`,
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgSsoIxAlqdDQQsmoF
FWzD5Z/x7BOZk2GaJVwPhWN9+AyhRANCAATpiChFXrtEuITaKHlwV0mXQ+DyzA7v
rtUukAhTquVfo/qkb+3HBu9fk3LRewdzhvKwImKYO/d0UedVBxXJLQel
-----END PRIVATE KEY-----`,
} as const;
