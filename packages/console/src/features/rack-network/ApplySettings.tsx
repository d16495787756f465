import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { SectionError } from '#/kit/page/SectionError.tsx'
import { sideWords, useUnsavedGuard } from '#/kit/forms/UnsavedGuard.tsx'
import { Button } from '#/ui/Button.tsx'
import { Dialog } from '#/ui/overlays/Dialog.tsx'
import { Field } from '#/ui/inputs/Field.tsx'
import { Select } from '#/ui/inputs/Select.tsx'
import { allPortSettings, type PlacedPort } from './queries.ts'
import { TryChange } from './TryChange.tsx'

interface Props {
  ports: readonly PlacedPort[]
  /** The preselected port, if any. */
  port: PlacedPort | undefined
  onClose: () => void
}

/** Selects a port and its settings. The next step shows what the change would disconnect, over the form. */
export function ApplySettings({ ports, port: given, onClose }: Props) {
  const { data: settings, isPending, error, refetch } = useQuery(allPortSettings)
  const [portId, setPortId] = useState(given?.id)
  const [name, setName] = useState<string>()
  const [isReviewing, setReviewing] = useState(false)
  const port = ports.find(({ id }) => id === portId)
  const guard = useUnsavedGuard(portId !== given?.id || name !== undefined, sideWords)
  const leave = () => guard.attempt(onClose)
  return (
    <>
      <Dialog
        title={given ? `Change settings of ${given.place}` : 'Apply settings to a port'}
        onRequestClose={leave}
        footer={
          <>
            <Button size="lg" onClick={leave}>
              Cancel
            </Button>
            <Button
              size="lg"
              kind="primary"
              disabledReason={
                port && name ? undefined : given ? 'Select settings' : 'Select a port and its settings'
              }
              onClick={() => setReviewing(true)}
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
        {error && (
          <SectionError title="Could not read the settings" failure={error} onRetry={() => void refetch()} />
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
      {guard.dialog}
      {isReviewing && port && name && (
        <TryChange
          title={`Apply ${name} to ${port.place}`}
          change={{ type: 'switch_port', switchPortId: port.id, portSettings: name }}
          onClose={() => setReviewing(false)}
          onApplied={onClose}
        />
      )}
    </>
  )
}
