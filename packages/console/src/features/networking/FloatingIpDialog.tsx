import { useWatch } from 'react-hook-form'
import { Note } from '../../ui/Note.tsx'
import { ChoiceField } from '../common/forms/choice-fields.tsx'
import { DialogForm } from '../common/forms/DialogForm.tsx'
import type { FloatingIp } from './queries.ts'

interface Props {
  /** Those that are free. */
  floatingIps: readonly FloatingIp[]
  onAttach: (floatingIp: FloatingIp) => Promise<unknown>
  onClose: () => void
}

export function FloatingIpDialog({ floatingIps, onAttach, onClose }: Props) {
  return (
    <DialogForm
      title="Attach floating IP"
      submitLabel="Attach"
      pendingLabel="Attaching"
      initial={{ floatingIp: '' }}
      whyNotYet={({ floatingIp }) => (floatingIp ? undefined : 'Select a floating IP first')}
      save={async ({ floatingIp }) => {
        const chosen = floatingIps.find(({ name }) => name === floatingIp)
        if (chosen) await onAttach(chosen)
      }}
      onClose={onClose}
    >
      <Address floatingIps={floatingIps} />
      <ChoiceField
        name="floatingIp"
        label="Floating IP"
        placeholder="Select a floating IP"
        options={floatingIps.map(({ name, ip, description }) => ({
          value: name,
          label: name,
          detail: [ip, description].filter(Boolean).join(' / '),
        }))}
      />
    </DialogForm>
  )
}

function Address({ floatingIps }: Pick<Props, 'floatingIps'>) {
  const chosen = useWatch({ name: 'floatingIp' }) as string
  const ip = floatingIps.find(({ name }) => name === chosen)?.ip
  return (
    <Note>
      The instance will be reachable at{' '}
      {ip ? <strong className="font-mono">{ip}</strong> : 'the selected address'}.
    </Note>
  )
}
