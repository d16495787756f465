import * as op from '@gantry/api/client/operations.gen'
import { useOp } from '#/data/use-op.ts'
import { confirmDelete } from '#/features/common/confirm.tsx'
import type { ActionsOf } from '#/features/common/row-menu.tsx'
import type { Probe } from './queries.ts'
import { useWhyNotProbes } from './use-why-not-probes.ts'

export function useProbeRowActions(project: string): ActionsOf<Probe> {
  const disabled = useWhyNotProbes(project)
  const remove = useOp(op.probeDelete)
  return ({ name }) => [
    {
      label: 'Delete',
      disabled,
      onSelect: () =>
        confirmDelete({
          kind: 'probe',
          name,
          extra: 'It ends on its sled, and others may get its addresses.',
          run: () => remove.run({ path: { probe: name }, query: { project } }),
        }),
    },
  ]
}
