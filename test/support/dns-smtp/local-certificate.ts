/**
 * A certificate that signs itself, for `localhost` and 127.0.0.1, from the year 2000 to 2126; with its key, which guards nothing.
 * Trusted where NODE_EXTRA_CA_CERTS names a file with it.
 */
export const localCertificate = {
  cert: `-----BEGIN CERTIFICATE-----
MIIBZzCCAQ2gAwIBAgIBATAKBggqhkjOPQQDAjAUMRIwEAYDVQQDDAlsb2NhbGhv
c3QwIBcNMDAwMTAxMDAwMDAwWhgPMjEyNjAxMDEwMDAwMDBaMBQxEjAQBgNVBAMM
CWxvY2FsaG9zdDBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABJ/cFGJr3aCKLa8o
QBkvLXE4y5QLGnQx8pcx6qZa1mNfAGhG8vhHNwRKRSgj+dCdk5jWs2WOJL9Ivu/5
hm+uG8OjTjBMMBoGA1UdEQQTMBGCCWxvY2FsaG9zdIcEfwAAATAPBgNVHRMBAf8E
BTADAQH/MB0GA1UdDgQWBBQGqAP00SBXO5sPtJN6cwLq1ridJzAKBggqhkjOPQQD
AgNIADBFAiBQvpSneMEj55HhUOyxUKJL8+vwork3JG+y1WkZvvju9wIhAKsDzbEB
yaLeHIa7rgeBeqUxZw8rEZHfePRhMKBOpJgA
-----END CERTIFICATE-----`,
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgyyuioh0zTO0tRDFO
BpQ3EdygSKw9lwEiuEl36ndb6n6hRANCAASf3BRia92gii2vKEAZLy1xOMuUCxp0
MfKXMeqmWtZjXwBoRvL4RzcESkUoI/nQnZOY1rNljiS/SL7v+YZvrhvD
-----END PRIVATE KEY-----`,
} as const;
