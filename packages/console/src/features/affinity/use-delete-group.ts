import * as op from '@gantry/api/client/operations.gen'
import { useOp } from '../../data/use-op.ts'
import { confirmDelete } from '../common/confirm.tsx'
import { groupAt } from './queries.ts'

/** Asks, then deletes a group. `onDelete` tells a page of the group to go somewhere else. */
export function useDeleteGroup(project: string, onDelete?: (is: 'sent' | 'done' | 'refused') => void) {
  const remove = useOp(op.antiAffinityGroupDelete)
  return (name: string): void =>
    confirmDelete({
      kind: 'anti-affinity group',
      name,
      extra: 'Its members stay where they are but are no longer kept apart.',
      run: async () => {
        onDelete?.('sent')
        try {
          await remove.run(groupAt(project, name))
        } catch (error) {
          onDelete?.('refused')
          throw error
        }
        onDelete?.('done')
      },
    })
}
