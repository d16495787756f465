import * as op from '@gantry/api/client/operations.gen'
import { useOp } from '#/data/use-op.ts'
import { confirmAction } from '#/kit/feedback/confirm.tsx'
import { useWhyNotOnFleet } from '#/data/permissions.ts'
import { Button } from '#/ui/Button.tsx'
import { Note } from '#/ui/feedback/Note.tsx'
import { recoveryRelease, updateKinds } from '@gantry/api/system/update.rules'
import type { UpdateStatus } from './queries.ts'

/** The obstacle to the update, and the remedy. */
export function Attention({ status }: { status: UpdateStatus }) {
  const { components, suspended, contactSupport } = status
  const whyNot = useWhyNotOnFleet()
  const retry = useOp(op.updateRetry)
  const resume = useOp(op.updateResume)
  const failed = components.filter(({ state }) => state === 'failed')
  return (
    <>
      {contactSupport && (
        <Note kind="fail" title="Support required">
          A component failed repeatedly. Collect a support bundle, and contact support before you retry.
        </Note>
      )}
      {failed.length > 0 && (
        <Note
          kind="busy"
          title="The update has stopped"
          action={
            <Button
              disabledReason={whyNot}
              onClick={() =>
                confirmAction({
                  title: 'Retry update',
                  content: (
                    <p>
                      {suspended
                        ? 'Retries the failed components once the update is resumed, and then continues with the others.'
                        : 'Retries the failed components, and then continues with the others.'}
                    </p>
                  ),
                  confirmLabel: 'Retry update',
                  pendingLabel: 'Retrying',
                  errorTitle: 'Could not retry update',
                  success: suspended
                    ? 'Failed components are retried once the update is resumed'
                    : 'Update continues',
                  run: () => retry.run({}),
                })
              }
            >
              Retry update
            </Button>
          }
        >
          {failed.map(({ kind, serial, reason, attempts }) => (
            <p key={`${kind} ${serial}`}>
              {updateKinds[kind].label}
              {serial && ` of ${serial}`}: {reason} ({attempts === 1 ? '1 attempt' : `${attempts} attempts`})
            </p>
          ))}
        </Note>
      )}
      {suspended && (
        <Note
          title="The update is suspended"
          action={
            <div className="flex flex-wrap gap-2">
              <RecoveryButton status={status} />
              <Button
                disabledReason={whyNot}
                onClick={() =>
                  confirmAction({
                    title: 'Resume update',
                    content: (
                      <p>
                        {failed.length > 0
                          ? 'The update continues once the failed components are retried.'
                          : 'The update continues with the next component.'}
                      </p>
                    ),
                    confirmLabel: 'Resume update',
                    pendingLabel: 'Resuming',
                    errorTitle: 'Could not resume update',
                    success:
                      failed.length > 0
                        ? 'Update resumed: retry the failed components to continue'
                        : 'Update resumed',
                    run: () => resume.run({}),
                  })
                }
              >
                Resume update
              </Button>
            </div>
          }
        >
          Components in progress finish, and no others begin.
        </Note>
      )}
    </>
  )
}

/** Gives up an update that has changed nothing. */
function RecoveryButton({ status }: { status: UpdateStatus }) {
  const whyNot = useWhyNotOnFleet()
  const finish = useOp(op.systemUpdateRecoveryFinish)
  const { components, componentsByReleaseVersion, suspended, targetRelease } = status
  const release = recoveryRelease(componentsByReleaseVersion, { suspended, target: targetRelease?.version })
  if (!release) return null
  const isBusy = components.some(({ state }) => state === 'updating' || state === 'draining')
  return (
    <Button
      disabledReason={whyNot ?? (isBusy ? 'Wait until the component in progress has finished' : undefined)}
      onClick={() =>
        confirmAction({
          title: `Return to ${release}`,
          content: (
            <p>
              All components run {release}. It becomes the target release again instead of{' '}
              {targetRelease?.version}, and updates are resumed.
            </p>
          ),
          confirmLabel: `Return to ${release}`,
          pendingLabel: 'Returning',
          errorTitle: `Could not return to ${release}`,
          success: `${release} is the target release again`,
          run: () => finish.run({ body: { systemVersion: release } }),
        })
      }
    >
      Return to {release}
    </Button>
  )
}
