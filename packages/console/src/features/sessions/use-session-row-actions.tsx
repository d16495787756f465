import * as op from '@gantry/api/client/operations.gen'
import LogOut from 'lucide-react/icons/log-out'
import { useOp } from '#/data/use-op.ts'
import { confirmAction } from '#/features/common/confirm.tsx'
import type { ActionsOf } from '#/features/common/row-menu.tsx'
import { browserName } from './browser-name.ts'
import type { Session } from './queries.ts'

export function useSessionRowActions(): ActionsOf<Session> {
  const end = useOp(op.currentUserSessionDelete)
  return ({ id, userAgent, current }) => [
    {
      label: 'End session',
      icon: <LogOut aria-hidden strokeWidth={1.75} />,
      danger: true,
      ...(current && { disabled: 'This is your current session. Sign out to end it.' }),
      onSelect: () =>
        confirmAction({
          title: 'Confirm end session',
          content: (
            <p>
              Anyone using <strong>{browserName(userAgent)}</strong> must sign in again.
            </p>
          ),
          kind: 'danger',
          confirmLabel: 'End session',
          pendingLabel: 'Ending',
          errorTitle: 'Could not end session',
          success: 'Session ended',
          run: () => end.run({ path: { sessionId: id } }),
        }),
    },
  ]
}
