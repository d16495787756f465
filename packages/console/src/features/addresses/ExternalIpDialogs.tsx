import type { ReactNode } from 'react'
import { useWatch } from 'react-hook-form'
import { Failure } from '#/data/failure.ts'
import type { ComboboxOption } from '#/ui/inputs/combobox.ts'
import { Note } from '#/ui/feedback/Note.tsx'
import { ChoiceField } from '#/kit/forms/choice-fields.tsx'
import { DialogForm } from '#/kit/forms/DialogForm.tsx'
import { useClearUnavailable } from '#/kit/list/use-clear-unavailable.ts'
import { defaultPool, poolOptions } from '#/features/ip-pools/parts.tsx'
import type { IpPool } from '#/features/ip-pools/queries.ts'
import type { ExternalIp, FloatingIp } from './queries.ts'

interface Props {
  /** The unattached ones. */
  floatingIps: readonly FloatingIp[]
  /** The name of the instance, if it already exists. */
  instance?: string
  submitLabel: string
  optionOf: (floatingIp: FloatingIp) => Omit<ComboboxOption, 'value'>
  onAttach: (floatingIp: FloatingIp) => Promise<unknown>
  saved?: (attached: FloatingIp) => ReactNode
  onClose: () => void
}

/** Selects an unattached floating IP. */
export function FloatingIpDialog(props: Props) {
  const { floatingIps, instance, submitLabel, optionOf, onAttach, saved, onClose } = props
  return (
    <DialogForm
      title="Attach floating IP"
      submitLabel={submitLabel}
      pendingLabel="Attaching"
      initial={{ floatingIp: '' }}
      whyNotYet={({ floatingIp }) => (floatingIp ? undefined : 'Select a floating IP first')}
      save={async ({ floatingIp }) => {
        const selected = floatingIps.find(({ id }) => id === floatingIp)
        if (!selected)
          throw new Failure({
            message: 'This floating IP is no longer free',
            help: 'Select another one.',
            statusCode: 409,
          })
        await onAttach(selected)
        return selected
      }}
      {...(saved && { saved })}
      onClose={onClose}
    >
      <Address floatingIps={floatingIps} instance={instance} />
      <ChoiceField
        name="floatingIp"
        label="Floating IP"
        placeholder="Select a floating IP"
        options={floatingIps.map((floatingIp) => ({ value: floatingIp.id, ...optionOf(floatingIp) }))}
      />
    </DialogForm>
  )
}

function Address({ floatingIps, instance }: Pick<Props, 'floatingIps' | 'instance'>) {
  const selected = useWatch<{ floatingIp: string }, 'floatingIp'>({ name: 'floatingIp' })
  useClearUnavailable(
    'floatingIp',
    floatingIps.map(({ id }) => id),
  )
  const ip = floatingIps.find(({ id }) => id === selected)?.ip
  return (
    <Note>
      {instance ? (
        <>
          Instance <strong>{instance}</strong>
        </>
      ) : (
        'The instance'
      )}{' '}
      will be reachable at {ip ? <strong className="font-mono">{ip}</strong> : 'the selected address'}.
    </Note>
  )
}

interface EphemeralIpDialogProps {
  /** Null if the user may not list them. */
  pools: readonly IpPool[] | null
  /** An empty name selects the default pool. */
  onAttach: (pool: string) => Promise<ExternalIp>
  saved: (attached: ExternalIp) => ReactNode
  onClose: () => void
}

/** Selects the pool to allocate an address from. */
export function EphemeralIpDialog({ pools, onAttach, saved, onClose }: EphemeralIpDialogProps) {
  return (
    <DialogForm
      title="Attach ephemeral IP"
      submitLabel="Attach"
      pendingLabel="Attaching"
      initial={{ pool: defaultPool(pools ?? []) }}
      whyNotYet={({ pool }) => (pool || !pools ? undefined : 'Select a pool first')}
      save={({ pool }) => onAttach(pool)}
      saved={saved}
      onClose={onClose}
    >
      {pools ? (
        <ChoiceField
          name="pool"
          label="IP pool"
          placeholder={pools.length === 0 ? 'No pools available' : 'Select a pool'}
          disabled={pools.length === 0}
          options={poolOptions(pools)}
        />
      ) : (
        <Note>The address comes from the default pool.</Note>
      )}
    </DialogForm>
  )
}
