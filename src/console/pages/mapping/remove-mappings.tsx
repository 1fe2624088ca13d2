import { useState } from 'preact/hooks';
import { api, read, type Body } from '../../api/client.ts';
import { useAction } from '../../api/use-action.ts';
import { companyRequest } from '../../components/company-request.ts';
import { Confirm } from '../../components/dialog.tsx';
import { toast } from '../../components/toast.tsx';
import { formatCounted } from '../../components/values.tsx';

/** Button that removes the selected entries, after a confirmation. */
export function RemoveMappings({
  entries,
  onRemoved,
}: {
  readonly entries: readonly Body<'MappedAdvertiser'>[];
  readonly onRemoved: () => void;
}) {
  const [isOpen, setOpen] = useState(false);
  const count = formatCounted(entries.length, 'entry', 'entries');
  const action = useAction(async () => {
    for (const entry of entries) {
      const query = { ...companyRequest(entry), advertiser_id: entry.advertiser_id };
      await read(api.DELETE('/v1/companies/mapping', { params: { query } }));
    }
    setOpen(false);
    toast(`Removed ${count}.`);
    onRemoved();
  });
  return (
    <>
      <button type="button" class="danger" onClick={() => setOpen(true)}>
        Remove …
      </button>
      {isOpen && (
        <Confirm
          title={`Remove ${count}?`}
          confirm="Remove"
          isDangerous
          isRunning={action.isRunning}
          error={action.error}
          onConfirm={action.run}
          onClose={() => setOpen(false)}
        >
          <p>Later lookups identify these companies without them. Earlier results do not change.</p>
        </Confirm>
      )}
    </>
  );
}
