import * as op from '@gantry/api/client/operations.gen'
import { useOffered } from '#/kit/list/use-offered.ts'
import { useOp } from '#/data/use-op.ts'
import { Note } from '#/ui/feedback/Note.tsx'
import { DialogForm } from '#/kit/forms/DialogForm.tsx'
import { successMessage } from '#/kit/feedback/success-message.tsx'
import { offeredInstances } from '#/features/instances/queries.ts'
import { whyNotInstance } from '#/features/instances/reasons.ts'
import { InstanceField } from '../InstanceField.tsx'
import type { FloatingIp } from '../queries.ts'
import { floatingIpAt } from './queries.ts'

interface Props {
  project: string
  floatingIp: FloatingIp
  onClose: () => void
}

/** Selects the instance to attach an address to. All instances of the project are listed, in any state. */
export function AttachDialog({ project, floatingIp: { name, ip }, onClose }: Props) {
  const instances = useOffered(offeredInstances(project))
  const attach = useOp(op.floatingIpAttach)
  return (
    <DialogForm
      title="Attach floating IP"
      submitLabel="Attach"
      pendingLabel="Attaching"
      initial={{ instance: '' }}
      whyNotYet={({ instance }) => {
        if (!instance) return 'Select an instance first'
        const selected = instances.data?.find(({ id }) => id === instance)
        return selected && whyNotInstance('attachExternalIp', selected.runState)
      }}
      save={({ instance }, send) =>
        attach.run({ ...floatingIpAt(project, name), body: { kind: 'instance', parent: instance } }, send)
      }
      saved={(attached) => successMessage('Floating IP', attached.name, 'attached')}
      onClose={onClose}
    >
      <Note>
        The instance will be reachable at <strong className="font-mono">{ip}</strong>, the address of{' '}
        <strong>{name}</strong>.
      </Note>
      <InstanceField instances={instances} />
    </DialogForm>
  )
}
