import { maxAllowedIps } from '@gantry/api/rack-network/network-access.rules'
import { ipNetProblem } from '@gantry/api/base/ip.rules'
import { useState } from 'react'
import type { Failure } from '#/data/failure.ts'
import { useSeen } from '#/data/use-op.ts'
import { failureText } from '#/kit/feedback/failure-text.ts'
import { sideWords, useUnsavedGuard } from '#/kit/forms/UnsavedGuard.tsx'
import { Button } from '#/ui/Button.tsx'
import { Dialog } from '#/ui/overlays/Dialog.tsx'
import { Field } from '#/ui/inputs/Field.tsx'
import { ErrorNote } from '#/ui/feedback/Note.tsx'
import { RadioGroup } from '#/ui/inputs/Radio.tsx'
import { TextArea } from '#/ui/inputs/TextInput.tsx'
import { allowList, type NetworkChange } from './queries.ts'
import { networksOf } from './states.ts'
import { TryChange } from './TryChange.tsx'

type Allowed = Extract<NetworkChange, { type: 'allow_list' }>['allowedIps']

interface Props {
  allowed: Allowed
  onClose: () => void
}

const choices = [
  { value: 'any', label: 'Any address' },
  { value: 'list', label: 'Only these networks' },
] as const

/** Edits the list. The next step shows whom the change would lock out, over the form, which keeps its input. */
export function AllowListForm({ allowed, onClose }: Props) {
  const [allow, setAllow] = useState<'any' | 'list'>(allowed.allow)
  const [given] = useState(allowed.allow === 'list' ? allowed.ips.join('\n') : '')
  const [text, setText] = useState(given)
  const [isChecked, setChecked] = useState(false)
  const [change, setChange] = useState<NetworkChange>()
  const [refused, setRefused] = useState<Failure>()
  const seen = useSeen(allowList)
  const guard = useUnsavedGuard(allow !== allowed.allow || text !== given, sideWords)
  const leave = () => guard.attempt(onClose)
  const ips = networksOf(text)
  const problem = allow === 'list' ? listProblem(ips) : undefined
  function next(): void {
    setChecked(true)
    if (problem) return
    setChange({ type: 'allow_list', allowedIps: allow === 'any' ? { allow } : { allow, ips } })
  }
  return (
    <>
      <Dialog
        title="Edit allow list"
        onRequestClose={leave}
        footer={
          <>
            <Button size="lg" onClick={leave}>
              Cancel
            </Button>
            <Button size="lg" kind="primary" onClick={next}>
              Review change
            </Button>
          </>
        }
      >
        {refused && <ErrorNote errors={[failureText(refused)]} />}
        <RadioGroup
          label="Allowed source addresses"
          options={choices}
          value={allow}
          onChange={setAllow}
          column
        />
        {allow === 'list' && (
          <Field
            label="Networks"
            hint="One per line, such as 192.0.2.0/24 or a single address."
            error={isChecked ? problem : undefined}
          >
            <TextArea mono rows={8} value={text} onChange={(event) => setText(event.target.value)} />
          </Field>
        )}
      </Dialog>
      {guard.dialog}
      {change && (
        <TryChange
          title="Change allow list"
          change={change}
          seen={seen}
          onClose={(failure) => {
            setChange(undefined)
            setRefused(failure)
          }}
          onApplied={onClose}
        />
      )}
    </>
  )
}

function listProblem(ips: readonly string[]): string | undefined {
  if (ips.length === 0) return 'Enter at least one network'
  if (ips.length > maxAllowedIps) return `At most ${maxAllowedIps} networks are allowed`
  for (const ip of ips) {
    const problem = ipNetProblem(ip)
    if (problem) return `${ip}: ${problem}`
  }
  return undefined
}
