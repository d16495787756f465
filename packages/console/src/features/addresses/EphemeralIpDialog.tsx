import type { ReactNode } from 'react'
import { ChoiceField } from '#/features/common/forms/choice-fields.tsx'
import { DialogForm } from '#/features/common/forms/DialogForm.tsx'
import { defaultPool, poolOptions } from '#/features/ip-pools/pool-options.ts'
import type { ExternalIp } from './queries.ts'
import type { IpPool } from '#/features/ip-pools/queries.ts'

interface Props {
  pools: readonly IpPool[]
  onAttach: (pool: string) => Promise<ExternalIp>
  saved: (attached: ExternalIp) => ReactNode
  onClose: () => void
}

/** Selects the pool to allocate an address from. */
export function EphemeralIpDialog({ pools, onAttach, saved, onClose }: Props) {
  return (
    <DialogForm
      title="Attach ephemeral IP"
      submitLabel="Attach"
      pendingLabel="Attaching"
      initial={{ pool: defaultPool(pools) }}
      whyNotYet={({ pool }) => (pool ? undefined : 'Select a pool first')}
      save={({ pool }) => onAttach(pool)}
      saved={saved}
      onClose={onClose}
    >
      <ChoiceField
        name="pool"
        label="IP pool"
        placeholder={pools.length === 0 ? 'No pools available' : 'Select a pool'}
        disabled={pools.length === 0}
        options={poolOptions(pools)}
      />
    </DialogForm>
  )
}
