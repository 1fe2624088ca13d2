import { expect, test } from 'vitest';
import { silentClientSettings, switchesOf } from '../../../../db/connection/postgres-client.ts';

test.each([
  'postgres://a@localhost/nightshift',
  'postgres://a@127.0.0.1:5433/nightshift',
  'postgres://a@[::1]:5433/nightshift',
  'postgres://a@%2Fvar%2Frun%2Fpostgresql/nightshift',
])('a client on the machine of the server needs no end of silent sessions: %s', (url) => {
  expect(silentClientSettings(url)).toEqual({});
});

test.each(['postgres://a@db.example/nightshift', 'postgres://a@localhost:5432,10.0.0.2:5432/nightshift'])(
  'a client on another machine has its session ended after half a minute of silence: %s',
  (url) => {
    expect(switchesOf(silentClientSettings(url))).toBe(
      '-c tcp_keepalives_idle=10 -c tcp_keepalives_interval=5 -c tcp_keepalives_count=4 -c tcp_user_timeout=30000',
    );
  },
);
