import * as op from '@gantry/api/client/operations.gen'
import { useQuery } from '@tanstack/react-query'
import { useWhyNot } from '#/data/permissions.ts'
import { useOp } from '#/data/use-op.ts'
import { confirmAction } from '#/kit/feedback/confirm.tsx'
import type { ActionsOf } from '#/kit/list/row-menu.tsx'
import { successMessage } from '#/kit/feedback/success-message.tsx'
import { allPoolsOf, type SiloPool } from '../queries.ts'

/** The actions for the link between a pool and a silo. */
export function useSiloPoolActions(silo: string): ActionsOf<SiloPool> {
  const whyNot = useWhyNot({ action: 'modify', object: 'fleet' })
  const { data: pools } = useQuery(allPoolsOf(silo))
  const update = useOp(op.ipPoolSiloUpdate)
  const unlink = useOp(op.ipPoolSiloUnlink)
  const at = ({ id }: SiloPool) => ({ path: { pool: id, silo } })

  function makeDefault(pool: SiloPool): void {
    const old = pools?.find(({ isDefault }) => isDefault)?.name
    confirmAction({
      title: old ? 'Confirm change default' : 'Confirm make default',
      content: old ? (
        <p>
          Are you sure you want to change the default pool from <strong>{old}</strong> to{' '}
          <strong>{pool.name}</strong>?
        </p>
      ) : (
        <p>
          Are you sure you want to make <strong>{pool.name}</strong> the default pool for this silo?
        </p>
      ),
      errorTitle: old ? 'Could not change default' : 'Could not make default',
      success: successMessage('IP pool', pool.name, 'is now the default'),
      isPlanned: true,
      run: (_isForGood, send) => update.run({ ...at(pool), body: { isDefault: true } }, send),
    })
  }

  const clearDefault = (pool: SiloPool): void =>
    confirmAction({
      title: 'Confirm clear default',
      content: (
        <p>
          Are you sure you want <strong>{pool.name}</strong> to stop being the default pool for this silo?
          Users must then name a pool when they allocate IPs.
        </p>
      ),
      kind: 'danger',
      errorTitle: 'Could not clear default',
      success: successMessage('IP pool', pool.name, 'is no longer the default'),
      isPlanned: true,
      run: (_isForGood, send) => update.run({ ...at(pool), body: { isDefault: false } }, send),
    })

  const askUnlink = (pool: SiloPool): void =>
    confirmAction({
      title: 'Confirm unlink pool',
      content: (
        <p>
          Are you sure you want to unlink <strong>{pool.name}</strong>? Users in this silo can no longer
          allocate IPs from it. Unlinking fails while addresses of the pool are in use in this silo.
        </p>
      ),
      kind: 'danger',
      errorTitle: 'Could not unlink pool',
      success: 'IP pool unlinked',
      isPlanned: true,
      run: (_isForGood, send) => unlink.run(at(pool), send),
    })

  return (pool) => [
    pool.isDefault
      ? { label: 'Clear default', disabled: whyNot, onSelect: () => clearDefault(pool) }
      : { label: 'Make default', disabled: whyNot, onSelect: () => makeDefault(pool) },
    { label: 'Unlink', danger: true, disabled: whyNot, onSelect: () => askUnlink(pool) },
  ]
}
