import * as op from '@gantry/api/client/operations.gen'
import { whyNot } from '@gantry/api/base/state.rules'
import { externalSubnetAllows } from '@gantry/api/network/external-subnet.rules'
import { useOffered } from '#/kit/list/use-offered.ts'
import { useOp } from '#/data/use-op.ts'
import { successMessage } from '#/kit/feedback/success-message.tsx'
import { DialogForm } from '#/kit/forms/DialogForm.tsx'
import { offeredInstances } from '#/features/instances/queries.ts'
import { Note } from '#/ui/feedback/Note.tsx'
import { InstanceField } from '../InstanceField.tsx'
import { type ExternalSubnet, externalSubnetAt } from './queries.ts'

interface Props {
  project: string
  externalSubnet: ExternalSubnet
  onClose: () => void
}

/** Selects the instance to attach a block to. All instances of the project are listed, in any state. */
export function AttachSubnetDialog({ project, externalSubnet: { name, subnet }, onClose }: Props) {
  const instances = useOffered(offeredInstances(project))
  const attach = useOp(op.externalSubnetAttach)
  return (
    <DialogForm
      title="Attach external subnet"
      submitLabel="Attach"
      pendingLabel="Attaching"
      initial={{ instance: '' }}
      whyNotYet={({ instance }) => {
        if (!instance) return 'Select an instance first'
        const selected = instances.data?.find(({ id }) => id === instance)
        return selected && whyNot(externalSubnetAllows, 'attach', selected.runState)
      }}
      save={({ instance }, send) =>
        attach.run({ ...externalSubnetAt(project, name), body: { instance } }, send)
      }
      saved={(attached) => successMessage('External subnet', attached.name, 'attached')}
      onClose={onClose}
    >
      <Note>
        Packets to all addresses of <strong className="font-mono">{subnet}</strong>, the block of{' '}
        <strong>{name}</strong>, will reach the primary network interface of the instance.
      </Note>
      <InstanceField instances={instances} />
    </DialogForm>
  )
}
