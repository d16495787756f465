import * as op from '@gantry/api/client/operations.gen'
import { compareVersions } from '@gantry/api/system/update.rules'
import Target from 'lucide-react/icons/target'
import { useWhyLacking } from '#/data/fleet.ts'
import { useWhyNotOnFleet } from '#/data/permissions.ts'
import { useOp } from '#/data/use-op.ts'
import { confirmAction, confirmDelete } from '#/kit/feedback/confirm.tsx'
import type { RowAction } from '#/kit/list/row-menu.tsx'
import type { Release, UpdateStatus } from './queries.ts'

/** The menu of a release: make it the target, or delete it. */
export function useReleaseActions(status: UpdateStatus): (release: Release) => RowAction[] {
  const whyNot = useWhyNotOnFleet()
  const whyNoUpdates = useWhyLacking('updates')
  const setTarget = useOp(op.targetReleaseUpdate)
  const remove = useOp(op.updateRepositoryDelete)
  const target = status.targetRelease?.version
  return ({ systemVersion, isRunning }) => [
    {
      label: 'Set as target release',
      icon: <Target aria-hidden strokeWidth={1.75} />,
      disabled: whyNot ?? whyNoUpdates ?? whyNoTarget(systemVersion, target),
      onSelect: () =>
        confirmAction({
          title: 'Set target release',
          kind: 'primary',
          content: <Consequences version={systemVersion} status={status} />,
          confirmLabel: 'Set target release',
          pendingLabel: 'Setting',
          errorTitle: `Error setting target release to ${systemVersion}`,
          success: 'Target release updated',
          run: () => setTarget.run({ body: { systemVersion } }),
        }),
    },
    {
      label: 'Delete',
      disabled:
        whyNot ??
        (systemVersion === target ? 'It is the target release' : isRunning ? 'Components run it' : undefined),
      onSelect: () =>
        confirmDelete({
          kind: 'release',
          name: systemVersion,
          gone: 'Its files are deleted. To install it later, upload it again.',
          run: () => remove.run({ path: { systemVersion } }),
        }),
    },
  ]
}

function whyNoTarget(version: string, target: string | undefined): string | undefined {
  if (version === target) return 'Already set as target'
  return target !== undefined && compareVersions(version, target) < 0
    ? 'Cannot set older release as target'
    : undefined
}

/** The consequences, shown before the user confirms. */
function Consequences({ version, status }: { version: string; status: UpdateStatus }) {
  const sleds = new Set(
    status.components.flatMap(({ cubby, hardwareId }) => (cubby === null ? [] : [hardwareId])),
  ).size
  return (
    <>
      <p>
        {status.suspended
          ? 'The update is suspended. Once it is resumed, the rack updates'
          : 'The rack starts updating'}{' '}
        to <strong>{version}</strong>: {status.components.length} components on {sleds} sleds, the switches
        and the control plane, one at a time.
      </p>
      <p>
        Before a sled's host restarts, its instances move to other sleds while they run. An instance that fits
        nowhere else blocks the update until it stops or capacity is free.
      </p>
      <p>A release cannot be replaced by an older one.</p>
      {status.contactSupport && (
        <p>
          <strong>
            A component has failed repeatedly. Contact support before you change the target release.
          </strong>
        </p>
      )}
    </>
  )
}
