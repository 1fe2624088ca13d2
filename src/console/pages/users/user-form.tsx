import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { Body } from '../../api/client.ts';
import { newRequestKey } from '../../api/request-key.ts';
import { useAction } from '../../api/use-action.ts';
import { FormDialog } from '../../components/form-dialog.tsx';

/** Properties of the dialogs that invite or change a user. */
export interface UserDialog {
  /** Name of an account, for operators; null: the own one. */
  readonly account: string | null;
  readonly mail_from: string | null;
  readonly provider: string | null;
  /** Closes the dialog after a change, and shows a new link. */
  readonly onDone: (invitation?: Body<'Invitation'>) => void;
  readonly onClose: () => void;
}

/** Dialog with a form. */
export function UserForm({
  title,
  submit,
  work,
  onClose,
  children,
}: {
  readonly title: string;
  /** Label of the button. */
  readonly submit: string;
  /** Sends the form. `requestKey` changes with its fields. */
  readonly work: (form: HTMLFormElement, requestKey: string) => Promise<unknown>;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}) {
  const [requestKey, setRequestKey] = useState(newRequestKey);
  const action = useAction((form: HTMLFormElement) => work(form, requestKey));
  return (
    <FormDialog
      title={title}
      submit={submit}
      isRunning={action.isRunning}
      error={action.error}
      onInput={() => setRequestKey(newRequestKey())}
      onSubmit={action.run}
      onClose={onClose}
    >
      {children}
    </FormDialog>
  );
}

/** Checkbox for sending a link by mail. Empty if no mail server is set up. */
export function SendMail({ from }: { readonly from: string | null }) {
  return from === null ? null : (
    <label class="choice">
      <input type="checkbox" name="send_mail" />
      Send the link by e-mail, from {from}
    </label>
  );
}

/** True if the form has a checked box for sending the link by mail. */
export function wantsMail(form: HTMLFormElement): boolean {
  return new FormData(form).has('send_mail');
}
