import * as op from '@gantry/api/client/operations.gen'
import { useQuery } from '@tanstack/react-query'
import { useOp } from '#/data/use-op.ts'
import { choicesOf } from '#/kit/list/choices-of.ts'
import { ChoiceField } from '#/kit/forms/choice-fields.tsx'
import { DialogForm } from '#/kit/forms/DialogForm.tsx'
import { allPools, allPoolsOf } from '../queries.ts'

/** Links a pool of the fleet to a silo. */
export function LinkPoolDialog({ silo, onClose }: { silo: string; onClose: () => void }) {
  const pools = useQuery(allPools)
  const linked = useQuery(allPoolsOf(silo))
  const link = useOp(op.ipPoolSiloLink)
  const linkedIds = new Set(linked.data?.map(({ id }) => id))
  const offered = linked.data ? (pools.data ?? []).filter(({ id }) => !linkedIds.has(id)) : []
  return (
    <DialogForm
      title="Link pool"
      submitLabel="Link"
      pendingLabel="Linking"
      initial={{ pool: '' }}
      whyNotYet={({ pool }) => (pool ? undefined : 'Select a pool')}
      save={({ pool }, send) => link.run({ path: { pool }, body: { silo, isDefault: false } }, send)}
      reviewable
      saved={() => 'IP pool linked'}
      onClose={onClose}
    >
      <p>Users in this silo will be eligible to allocate IPs from the pool.</p>
      <ChoiceField
        name="pool"
        label="IP pool"
        placeholder="Select a pool"
        hint={linked.data && pools.data && offered.length === 0 ? whyNone(pools.data) : undefined}
        {...choicesOf(pools, linked)}
        options={offered.map(({ name, description }) => ({
          value: name,
          label: name,
          ...(description && { detail: description }),
        }))}
      />
    </DialogForm>
  )
}

const whyNone = (pools: readonly unknown[]): string =>
  pools.length === 0 ? 'No IP pools exist yet.' : 'All IP pools are linked already.'
