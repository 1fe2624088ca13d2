import { useState } from 'preact/hooks';
import { api, read, type Body } from '../../api/client.ts';
import { useAction } from '../../api/use-action.ts';
import { ErrorBanner } from '../../components/banner.tsx';
import { isEnded } from '../../components/batch-state.tsx';
import { Confirm } from '../../components/dialog.tsx';
import { FormDialog } from '../../components/form-dialog.tsx';
import { formatCounted } from '../../components/format.ts';
import { TextField } from '../../components/forms/text-field.tsx';
import { toast } from '../../components/toast.tsx';
import { isSchedulable, ScheduleThis } from '../batch/schedule-this.tsx';
import { parseTags } from '../batch/parse-tags.ts';

type Batch = Body<'Batch'>;

/** Buttons for the selected batches: tag, archive or restore, and delete. */
export function SelectedBatches({
  batches,
  onChanged,
}: {
  readonly batches: readonly Batch[];
  readonly onChanged: () => void;
}) {
  const [dialog, setDialog] = useState<'tag' | 'delete' | null>(null);
  const close = () => setDialog(null);
  const isArchived = batches.every(({ archived_at: at }) => at !== null);
  const counted = formatCounted(batches.length, 'batch', 'batches');
  const done = (verb: string) => {
    close();
    toast(`${counted} ${verb}.`);
    onChanged();
  };
  const archiving = useAction(async () => {
    for (const batch of batches) await label(batch, { archived: !isArchived });
    done(isArchived ? 'restored' : 'archived');
  });
  const deleting = useAction(async () => {
    for (const { id } of batches) await read(api.DELETE('/v1/batches/{id}', { params: { path: { id } } }));
    done('deleted');
  });
  const [only, ...others] = batches;
  return (
    <>
      {only !== undefined && others.length === 0 && isSchedulable(only) && <ScheduleThis id={only.id} />}
      <button type="button" onClick={() => setDialog('tag')}>
        Add tags …
      </button>
      <button type="button" disabled={archiving.isRunning} onClick={archiving.run}>
        {isArchived ? 'Restore' : 'Archive'}
      </button>
      {batches.every(({ state }) => isEnded(state)) && (
        <button type="button" class="danger" onClick={() => setDialog('delete')}>
          Delete …
        </button>
      )}
      <ErrorBanner error={archiving.error} />
      {dialog === 'tag' && (
        <AddTags
          title={`Add tags to ${counted}`}
          batches={batches}
          onChanged={() => done('tagged')}
          onClose={close}
        />
      )}
      {dialog === 'delete' && (
        <Confirm
          title={`Delete ${counted}?`}
          confirm="Delete"
          isDangerous
          isRunning={deleting.isRunning}
          error={deleting.error}
          onConfirm={deleting.run}
          onClose={close}
        >
          <p>Their rows and results are removed for good. Their charges stay in the ledger.</p>
        </Confirm>
      )}
    </>
  );
}

function AddTags({
  title,
  batches,
  onChanged,
  onClose,
}: {
  readonly title: string;
  readonly batches: readonly Batch[];
  readonly onChanged: () => void;
  readonly onClose: () => void;
}) {
  const [tags, setTags] = useState('');
  const tagging = useAction(async () => {
    const added = parseTags(tags);
    for (const batch of batches) await label(batch, { tags: [...batch.tags, ...added] });
    onChanged();
  });
  return (
    <FormDialog
      title={title}
      submit="Add tags"
      isRunning={tagging.isRunning}
      error={tagging.error}
      onSubmit={() => tagging.run()}
      onClose={onClose}
    >
      <TextField label="Tags" hint="Separated by commas." isRequired value={tags} onText={setTags} />
    </FormDialog>
  );
}

function label({ id }: Batch, body: Body<'BatchChanges'>): Promise<Batch> {
  return read(api.PATCH('/v1/batches/{id}', { params: { path: { id } }, body }));
}
