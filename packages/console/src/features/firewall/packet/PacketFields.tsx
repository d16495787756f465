import { useOffered } from '#/kit/list/use-offered.ts'
import { Combobox } from '#/ui/inputs/Combobox.tsx'
import { Field } from '#/ui/inputs/Field.tsx'
import { Select } from '#/ui/inputs/Select.tsx'
import { TextInput } from '#/ui/inputs/TextInput.tsx'
import { choicesOf } from '#/kit/list/choices-of.ts'
import { offeredInstances } from '#/features/instances/queries.ts'
import { isIcmp, protocolTypes } from '../form/subform-values.ts'
import { protocolWord } from '../words.ts'
import { echoRequest, type EndType, type PacketProblems, type PacketValues } from './packet-values.ts'

interface Props {
  project: string
  values: PacketValues
  problems: PacketProblems
  onChange: (change: Partial<PacketValues>) => void
  /** Called on Enter in a field. */
  onEnter: () => void
}

const endTypes: readonly { value: EndType; label: string }[] = [
  { value: 'instance', label: 'Instance' },
  { value: 'ip', label: 'IP address' },
  { value: 'internet', label: 'Internet' },
]

/** A packet: source, destination and protocol. */
export function PacketFields({ project, values, problems, onChange, onEnter }: Props) {
  const text = (name: 'port' | 'icmpType' | 'icmpCode', label: string, optional = false) => (
    <Field label={label} error={problems[name]} {...(optional && { optional })}>
      <TextInput
        mono
        inputMode="numeric"
        value={values[name]}
        onChange={(event) => onChange({ [name]: event.target.value })}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return
          event.preventDefault()
          onEnter()
        }}
      />
    </Field>
  )
  return (
    <div className="grid max-w-form gap-4 sm:grid-cols-2">
      <End
        label="From"
        project={project}
        type={values.fromType}
        value={values.from}
        problem={problems.from}
        onType={(fromType) => onChange({ fromType, from: '' })}
        onValue={(from) => onChange({ from })}
        onEnter={onEnter}
      />
      <End
        label="To"
        project={project}
        type={values.toType}
        value={values.to}
        problem={problems.to}
        onType={(toType) => onChange({ toType, to: '' })}
        onValue={(to) => onChange({ to })}
        onEnter={onEnter}
      />
      <Field label="Protocol">
        <Select
          options={protocolTypes}
          value={values.protocol}
          onChange={(protocol) =>
            onChange({ protocol, ...(isIcmp(protocol) && { icmpType: echoRequest[protocol] }) })
          }
        />
      </Field>
      {isIcmp(values.protocol) ? (
        <div className="grid grid-cols-2 gap-4">
          {text('icmpType', `${protocolWord({ type: values.protocol })} type`)}
          {text('icmpCode', `${protocolWord({ type: values.protocol })} code`, true)}
        </div>
      ) : (
        text('port', 'Port')
      )}
    </div>
  )
}

interface EndProps {
  label: 'From' | 'To'
  project: string
  type: EndType
  value: string
  problem: string | undefined
  onType: (type: EndType) => void
  onValue: (value: string) => void
  onEnter: () => void
}

function End({ label, project, type, value, problem, onType, onValue, onEnter }: EndProps) {
  const instances = useOffered(offeredInstances(project), type === 'instance')
  const own = `${label} ${type === 'ip' ? 'address' : 'instance'}`
  return (
    <div className="space-y-2">
      <Field label={label}>
        <Select options={endTypes} value={type} onChange={onType} />
      </Field>
      {type !== 'internet' && (
        <Field label={own} hideLabel error={problem}>
          {type === 'instance' ? (
            <Combobox
              options={(instances.data ?? []).map(({ name }) => ({ value: name, label: name }))}
              {...choicesOf(instances)}
              placeholder="Select an instance"
              value={value}
              onChange={onValue}
              onEnter={onEnter}
            />
          ) : (
            <TextInput
              mono
              placeholder="10.0.0.5"
              value={value}
              onChange={(event) => onValue(event.target.value)}
              onKeyDown={(event) => {
                if (event.key !== 'Enter') return
                event.preventDefault()
                onEnter()
              }}
            />
          )}
        </Field>
      )}
    </div>
  )
}
