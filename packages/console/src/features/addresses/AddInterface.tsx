import * as op from '@gantry/api/client/operations.gen'
import { useOp } from '#/data/use-op.ts'
import { successMessage } from '#/features/common/success-message.tsx'
import { interfaceBody } from './interface-values.ts'
import { InterfaceForm } from './InterfaceForm.tsx'

interface Props {
  project: string
  instance: string
  onClose: () => void
}

/** Adds an interface to an existing instance. */
export function AddInterface({ project, instance, onClose }: Props) {
  const create = useOp(op.instanceNetworkInterfaceCreate)
  return (
    <InterfaceForm
      project={project}
      context={`For instance ${instance}`}
      save={(values) => create.run({ query: { project, instance }, body: interfaceBody(values) })}
      saved={({ name }) => successMessage('Network interface', name, 'added')}
      closeTo={onClose}
    />
  )
}
