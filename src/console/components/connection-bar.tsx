import { isServerLost } from '../api/live/account-events.ts';
import { pausedRequests } from '../api/session-ended.ts';

/** Bar above every page while there is no server. Screen readers read it politely, once. */
export function ConnectionBar() {
  const isShown = isServerLost.value && pausedRequests.value.length === 0;
  return (
    <div class="connection-bar" role="status">
      {isShown && <p>Connection lost. Trying again …</p>}
    </div>
  );
}
