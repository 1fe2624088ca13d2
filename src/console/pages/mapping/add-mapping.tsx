import { useState } from 'preact/hooks';
import { api, read } from '../../api/client.ts';
import { useAction } from '../../api/use-action.ts';
import { FormDialog } from '../../components/form-dialog.tsx';
import { SelectField } from '../../components/forms/select-field.tsx';
import { TextField } from '../../components/forms/text-field.tsx';
import { toast } from '../../components/toast.tsx';
import { parseCompany } from '../changes/filter.ts';
import { roleNames, roles } from './role-names.ts';

/** Dialog that maps a company to an advertiser. A mapped one gets the new role and note. */
export function AddMapping({
  onAdded,
  onClose,
}: {
  readonly onAdded: () => void;
  readonly onClose: () => void;
}) {
  const [company, setCompany] = useState('');
  const [advertiser, setAdvertiser] = useState('');
  const [role, setRole] = useState<(typeof roles)[number]>('allow');
  const [note, setNote] = useState('');
  const action = useAction(async () => {
    const { warnings, added } = await read(
      api.POST('/v1/companies/mapping', {
        body: {
          ...parseCompany(company),
          advertiser_id: advertiser.trim(),
          role,
          ...(note.trim() === '' ? {} : { note }),
        },
      }),
    );
    toast(`${company.trim()} was ${added ? 'mapped' : 'mapped before, and is updated'}.`);
    for (const warning of warnings) toast(`Please check: ${warning}.`);
    onAdded();
  });
  return (
    <FormDialog
      title="Add mapping"
      submit="Map"
      isRunning={action.isRunning}
      error={action.error}
      onSubmit={() => action.run()}
      onClose={onClose}
    >
      <TextField
        label="Company"
        hint="Its domain, or its name if your files have no domain."
        value={company}
        onText={setCompany}
        isRequired
      />
      <TextField
        label="Advertiser"
        hint="Its id, such as AR… or meta:123, or the address of its page in Google's Ads Transparency Center or Meta's Ad Library."
        value={advertiser}
        onText={setAdvertiser}
        isRequired
      />
      <SelectField
        label="Role"
        values={roles}
        nameOf={(each) => roleNames[each]}
        value={role}
        onSelect={setRole}
      />
      <TextField label="Note" hint="For people. Optional." value={note} onText={setNote} charsMax={500} />
    </FormDialog>
  );
}
