import type { Body } from '../../api/client.ts';
import { can } from '../../api/session.ts';
import { roleLabels } from '../account/labels.ts';

type Role = Body<'User'>['role'];

/** Choice of a role, each with what it may do. Only operators can give the role operator. */
export function RoleChoice({ role: chosen }: { readonly role: Role }) {
  const roles = (Object.keys(roleLabels) as readonly Role[]).filter(
    (role) => role !== 'operator' || can('operator'),
  );
  return (
    <fieldset>
      <legend>Role</legend>
      {roles.map((role) => (
        <label class="choice" key={role}>
          <input type="radio" name="role" value={role} defaultChecked={role === chosen} />
          {role}: {roleLabels[role]}
        </label>
      ))}
    </fieldset>
  );
}
