import { useState } from 'preact/hooks';
import { api, read, type Body } from '../../api/client.ts';
import { useAction } from '../../api/use-action.ts';
import { ErrorBanner } from '../../components/banner.tsx';
import { isEnded } from '../../components/batch-state.tsx';
import { ConfirmRemoval } from '../../components/confirm-removal.tsx';
import { FormDialog } from '../../components/form-dialog.tsx';
import { TextField } from '../../components/forms/text-field.tsx';
import { toast } from '../../components/toast.tsx';
import { parseTags } from './parse-tags.ts';

type Batch = Body<'Batch'>;

/** Actions on the labels of a batch: name and tags, archive or restore; and its deletion. */
export function Labels({
  batch,
  onChanged,
}: {
  readonly batch: Batch;
  readonly onChanged: (batch: Batch) => void;
}) {
  const { id, name, state, archived_at: archivedAt } = batch;
  const params = { path: { id } };
  const [dialog, setDialog] = useState<'edit' | 'delete' | null>(null);
  const close = () => setDialog(null);
  const archiving = useAction(async () => {
    onChanged(await read(api.PATCH('/v1/batches/{id}', { params, body: { archived: archivedAt === null } })));
    toast(archivedAt === null ? 'Batch archived.' : 'Batch restored.');
  });
  return (
    <>
      <button type="button" onClick={() => setDialog('edit')}>
        Name and tags …
      </button>
      <button type="button" disabled={archiving.isRunning} onClick={archiving.run}>
        {archivedAt === null ? 'Archive' : 'Restore'}
      </button>
      {isEnded(state) && (
        <button type="button" class="danger" onClick={() => setDialog('delete')}>
          Delete …
        </button>
      )}
      <ErrorBanner error={archiving.error} />
      {dialog === 'edit' && (
        <EditLabels
          batch={batch}
          onChanged={(after) => {
            close();
            onChanged(after);
          }}
          onClose={close}
        />
      )}
      {dialog === 'delete' && (
        <ConfirmRemoval
          verb="Delete"
          noun="batch"
          name={name}
          backTo="/batches"
          remove={() => read(api.DELETE('/v1/batches/{id}', { params }))}
          onClose={close}
        >
          <p>Its rows and results are removed for good. Its charges stay in the ledger.</p>
        </ConfirmRemoval>
      )}
    </>
  );
}

function EditLabels({
  batch,
  onChanged,
  onClose,
}: {
  readonly batch: Batch;
  readonly onChanged: (batch: Batch) => void;
  readonly onClose: () => void;
}) {
  const [name, setName] = useState(batch.name);
  const [tags, setTags] = useState(batch.tags.join(', '));
  const saving = useAction(async () => {
    const body = { ...(name === batch.name ? {} : { name }), tags: parseTags(tags) };
    onChanged(await read(api.PATCH('/v1/batches/{id}', { params: { path: { id: batch.id } }, body })));
  });
  return (
    <FormDialog
      title="Name and tags"
      submit="Save"
      isRunning={saving.isRunning}
      error={saving.error}
      onSubmit={() => saving.run()}
      onClose={onClose}
    >
      <TextField label="Name" isRequired charsMax={200} value={name} onText={setName} />
      <TextField label="Tags" hint="Separated by commas." charsMax={2000} value={tags} onText={setTags} />
    </FormDialog>
  );
}
