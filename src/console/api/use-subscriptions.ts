import { api, read, type Body } from './client.ts';
import { useAction, type Action } from './use-action.ts';
import { useLoad, type Loaded } from './use-load.ts';

/** Batch or schedule that the signed-in user can get e-mail about. */
export interface Subject {
  readonly kind: 'batch' | 'schedule';
  readonly id: string;
}

/** Subscriptions of the signed-in user. */
export interface Subscriptions {
  readonly loaded: Loaded<Body<'SubscriptionList'>>;
  /** Subscribes the user to the subject, or unsubscribes. */
  readonly set: Action<[subject: Subject, isOn: boolean]>;
}

/** Loads the subscriptions of the signed-in user. */
export function useSubscriptions(): Subscriptions {
  const loaded = useLoad('subscriptions', (signal) => read(api.GET('/v1/subscriptions', { signal })));
  const set = useAction(async (subject: Subject, isOn: boolean) => {
    loaded.replace(await (isOn ? subscribe(subject) : unsubscribe(subject)));
  });
  return { loaded, set };
}

/** Subscribes the signed-in user. @throws RequestError */
export function subscribe({ kind, id }: Subject): Promise<Body<'SubscriptionList'>> {
  const path = { params: { path: { id } } };
  return kind === 'batch'
    ? read(api.POST('/v1/batches/{id}/subscription', path))
    : read(api.POST('/v1/schedules/{id}/subscription', path));
}

function unsubscribe({ kind, id }: Subject): Promise<Body<'SubscriptionList'>> {
  const path = { params: { path: { id } } };
  return kind === 'batch'
    ? read(api.DELETE('/v1/batches/{id}/subscription', path))
    : read(api.DELETE('/v1/schedules/{id}/subscription', path));
}
