import * as op from '@gantry/api/client/operations.gen'
import { useOp } from '../../../data/use-op.ts'
import { confirmDelete } from '../../common/confirm.tsx'
import { vpcAt } from './queries.ts'

/** Asks, then deletes a VPC. `onDelete` tells a page of the VPC to go somewhere else. */
export function useDeleteVpc(project: string, onDelete?: (is: 'sent' | 'done' | 'refused') => void) {
  const remove = useOp(op.vpcDelete)
  return (name: string): void =>
    confirmDelete({
      kind: 'VPC',
      name,
      extra:
        'Its firewall rules, routers and internet gateways are deleted with it. Delete its subnets first.',
      run: async () => {
        onDelete?.('sent')
        try {
          await remove.run(vpcAt(project, name))
        } catch (error) {
          onDelete?.('refused')
          throw error
        }
        onDelete?.('done')
      },
    })
}
