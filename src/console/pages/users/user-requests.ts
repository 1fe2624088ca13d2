import { api, read, type Body } from '../../api/client.ts';

const own = '/v1/account/users';
const other = '/v1/operator/accounts/{name}/users';

/** Lists the users of an account; null: the own one. @throws RequestError */
export function listUsers(name: string | null, signal: AbortSignal): Promise<Body<'UserList'>> {
  return read(
    name === null ? api.GET(own, { signal }) : api.GET(other, { params: { path: { name } }, signal }),
  );
}

/** Invites a user. @throws RequestError */
export function inviteUser(
  name: string | null,
  body: Body<'InvitationRequest'>,
  requestKey: string,
): Promise<Body<'Invitation'>> {
  const header = { 'Idempotency-Key': requestKey };
  return read(
    name === null
      ? api.POST(own, { params: { header }, body })
      : api.POST(other, { params: { path: { name }, header }, body }),
  );
}

/** Creates a sign-in link for a user. @throws RequestError */
export function createLink(
  name: string | null,
  id: string,
  body: Body<'SignInLinkRequest'>,
  requestKey: string,
): Promise<Body<'Invitation'>> {
  const header = { 'Idempotency-Key': requestKey };
  return read(
    name === null
      ? api.POST(`${own}/{id}/link`, { params: { path: { id }, header }, body })
      : api.POST(`${other}/{id}/link`, { params: { path: { name, id }, header }, body }),
  );
}

/** Changes a user. @throws RequestError */
export function changeUser(name: string | null, id: string, body: Body<'UserChange'>): Promise<Body<'User'>> {
  return read(
    name === null
      ? api.PATCH(`${own}/{id}`, { params: { path: { id } }, body })
      : api.PATCH(`${other}/{id}`, { params: { path: { name, id } }, body }),
  );
}
