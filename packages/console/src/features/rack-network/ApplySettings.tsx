import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '#/ui/Button.tsx'
import { Dialog } from '#/ui/Dialog.tsx'
import { Field } from '#/ui/Field.tsx'
import { Select } from '#/ui/Select.tsx'
import { allPortSettings, type NetworkChange, type PlacedPort } from './queries.ts'

interface Props {
  ports: readonly PlacedPort[]
  /** The preselected port, if any. */
  port: PlacedPort | undefined
  onNext: (title: string, change: NetworkChange) => void
  onClose: () => void
}

/** Selects a port and its settings. The next step shows what the change would disconnect. */
export function ApplySettings({ ports, port: given, onNext, onClose }: Props) {
  const { data: settings, isPending } = useQuery(allPortSettings)
  const [portId, setPortId] = useState(given?.id)
  const [name, setName] = useState<string>()
  const port = ports.find(({ id }) => id === portId)
  return (
    <Dialog
      title={given ? `Change settings of ${given.place}` : 'Apply settings to a port'}
      onRequestClose={onClose}
      footer={
        <>
          <Button size="lg" onClick={onClose}>
            Cancel
          </Button>
          <Button
            size="lg"
            kind="primary"
            disabled={!port || !name}
            onClick={() =>
              port &&
              name &&
              onNext(`Apply ${name} to ${port.place}`, {
                type: 'switch_port',
                switchPortId: port.id,
                portSettings: name,
              })
            }
          >
            Review change
          </Button>
        </>
      }
    >
      {!given && (
        <Field label="Port">
          <Select
            options={ports.map(({ id, place }) => ({ value: id, label: place }))}
            value={portId}
            onChange={setPortId}
          />
        </Field>
      )}
      <Field label="Settings">
        <Select
          options={(settings ?? []).map((each) => ({ value: each.name, label: each.name }))}
          value={name}
          onChange={setName}
          loading={isPending}
          placeholder={settings?.length === 0 ? 'No settings exist yet' : 'Select settings'}
        />
      </Field>
    </Dialog>
  )
}
