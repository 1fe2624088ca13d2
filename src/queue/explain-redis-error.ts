/** Description of a failure for people who can end it, without logins. */
export interface RedisFailure {
  readonly found: string;
  readonly remedy: string;
}

const loginRemedy =
  'Check user and password in REDIS_URL; a password without a user is written as :PASSWORD@ before the host.';

/** Failures by the message of the error. A pattern may name the server in its first group. */
const failures: readonly (readonly [pattern: RegExp, found: (server: string) => string, remedy: string])[] = [
  [
    /failed to connect to sentinel (\S+) because ERR No such master/,
    (server) => `the sentinel ${server} knows no master of the name in REDIS_URL`,
    'Correct the name after the sentinels in REDIS_URL. `redis-cli -p 26379 SENTINEL MASTERS` on their machine lists the names.',
  ],
  [
    /failed to connect to sentinel (\S+) because (?:NOAUTH|WRONGPASS|NOPERM)/,
    (server) => `the sentinel ${server} rejected the login`,
    'Set sentinelPassword in REDIS_URL, and sentinelUsername if it has users: the login of the sentinels is not that of Redis.',
  ],
  [
    /failed to connect to sentinel (\S+) because/,
    (server) => `no sentinel of REDIS_URL answers: not ${server}, nor another`,
    'Check that the sentinels are running, and their hosts, their ports (26379 by default) and tls in REDIS_URL.',
  ],
  [/NOAUTH|WRONGPASS/, () => 'Redis rejected the login', loginRemedy],
  [
    /does not match certificate's altnames/,
    () => 'the certificate of Redis is for another host',
    'Use a host of the certificate in REDIS_URL. Nodes of a cluster announce theirs with cluster-announce-hostname, sentinels with ' +
      'announce-hostnames.',
  ],
  [
    /self-signed certificate|unable to (?:verify|get)\b.*certificate|certificate has expired|certificate is not yet valid/i,
    () => 'the certificate of Redis is not trusted',
    'Name a file with the certificate of its authority in NODE_EXTRA_CA_CERTS, and check its dates.',
  ],
  [
    /^no answer$|Connection is closed|ECONNRESET/,
    () => 'Redis is unreachable: the server closes the connection or gives no answer',
    'Check host and port in REDIS_URL, and use rediss:// for a port that expects TLS, redis:// for one that does not.',
  ],
  [
    /cluster support disabled/,
    () => 'REDIS_URL lists several servers, but they are no cluster',
    'Name one server in REDIS_URL; or sentinels, in the form sentinel://HOST:26379,HOST:26379/NAME.',
  ],
];

/** Explains the error of an attempt to reach Redis. */
export function explainRedisError(error: Error): RedisFailure {
  for (const [pattern, found, remedy] of failures) {
    const match = pattern.exec(error.message);
    if (match !== null) return { found: found(match[1] ?? ''), remedy };
  }
  return {
    found: `Redis is unreachable: ${error.message}`,
    remedy: 'Check that the server is running and that REDIS_URL is correct.',
  };
}
