import type { Body } from '../../api/client.ts';

type Role = Body<'MappedAdvertiser'>['role'];

/** Names of the roles of an advertiser, in the order of the choices. */
export const roleNames: Readonly<Record<Role, string>> = {
  allow: 'Own advertiser',
  agency: 'Agency',
  deny: 'Not this company',
};

export const roles = Object.keys(roleNames) as readonly Role[];
