// @chunk instance-networking: of one tab, which the other tabs of an instance do not need.
import * as op from '@gantry/api/client/operations.gen'
import Copy from 'lucide-react/icons/copy'
import Unplug from 'lucide-react/icons/unplug'
import { useOp } from '#/data/use-op.ts'
import { copyText } from '#/ui/copy-text.ts'
import type { MenuEntry } from '#/ui/overlays/Menu.tsx'
import { confirmAction } from '#/kit/feedback/confirm.tsx'
import { useWhyNotInProject } from '#/data/permissions.ts'
import { successMessage } from '#/kit/feedback/success-message.tsx'
import type { ExternalIp } from '#/features/addresses/queries.ts'
import { versionOf } from '#/features/ip-pools/ip-version.ts'
import { whyNotDetach } from '#/features/addresses/reasons.ts'
import type { Instance } from '../queries.ts'

const copyIcon = <Copy aria-hidden strokeWidth={1.75} />

export function useExternalIpActions({ project, instance }: { project: string; instance: Instance }) {
  const whyNotAllowed = useWhyNotInProject(project)
  const detachEphemeral = useOp(op.instanceEphemeralIpDetach)
  const detachFloating = useOp(op.floatingIpDetach)

  const detach = (ip: Exclude<ExternalIp, { kind: 'snat' }>): void => {
    const isFloating = ip.kind === 'floating'
    confirmAction({
      title: `Confirm detach ${ip.kind} IP`,
      content: (
        <>
          <p>
            Are you sure you want to detach {ip.kind} IP <strong>{isFloating ? ip.name : ip.ip}</strong> from{' '}
            {instance.name}?
          </p>
          <p>
            The instance will no longer be reachable at <span className="font-mono">{ip.ip}</span>.
            {!isFloating && ' The address returns to its pool, and you may not get the same one again.'}
          </p>
        </>
      ),
      kind: 'danger',
      pendingLabel: 'Detaching',
      errorTitle: `Error detaching ${ip.kind} IP`,
      success: isFloating ? successMessage('Floating IP', ip.name, 'detached') : 'Ephemeral IP detached',
      run: () =>
        isFloating
          ? detachFloating.run({ path: { floatingIp: ip.name }, query: { project } })
          : detachEphemeral.run({
              path: { instance: instance.name },
              query: { project, ipVersion: versionOf(ip.ip) },
            }),
    })
  }

  return (ip: ExternalIp): MenuEntry[] => [
    ...(ip.kind === 'floating'
      ? [{ label: 'Copy ID', icon: copyIcon, onSelect: () => void copyText(ip.id) }]
      : []),
    { label: 'Copy IP address', icon: copyIcon, onSelect: () => void copyText(ip.ip) },
    'rule',
    {
      label: 'Detach',
      icon: <Unplug aria-hidden strokeWidth={1.75} />,
      disabled: whyNotAllowed ?? whyNotDetach(ip.kind, instance.runState),
      onSelect: () => ip.kind !== 'snat' && detach(ip),
    },
  ]
}
