import type { ComponentChildren } from 'preact';
import { useLocation } from 'preact-iso';
import { useAction } from '../api/use-action.ts';
import { Confirm } from './dialog.tsx';
import { toast } from './toast.tsx';

/** Confirmation before something with a name is removed; then shows `backTo`. `children`: the consequences. */
export function ConfirmRemoval({
  verb,
  noun,
  name,
  backTo,
  remove,
  onClose,
  children,
}: {
  readonly verb: 'Remove' | 'Delete';
  readonly noun: string;
  readonly name: string;
  /** Path of the list. */
  readonly backTo: string;
  readonly remove: () => Promise<unknown>;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}) {
  const { route } = useLocation();
  const action = useAction(async () => {
    await remove();
    toast(`“${name}” was ${verb.toLowerCase()}d.`);
    route(backTo);
  });
  return (
    <Confirm
      title={`${verb} “${name}”?`}
      confirm={`${verb} ${noun}`}
      isDangerous
      isRunning={action.isRunning}
      error={action.error}
      onConfirm={action.run}
      onClose={onClose}
    >
      {children}
    </Confirm>
  );
}
