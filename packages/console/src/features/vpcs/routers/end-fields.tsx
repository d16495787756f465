import { ipNetProblem, ipProblem } from '@gantry/api/base/ip.rules'
import { useQuery } from '@tanstack/react-query'
import { Field } from '#/ui/inputs/Field.tsx'
import { TextInput } from '#/ui/inputs/TextInput.tsx'
import { choicesOf } from '#/kit/list/choices-of.ts'
import { useOffered } from '#/kit/list/use-offered.ts'
import { ChoiceField } from '#/kit/forms/choice-fields.tsx'
import { useTextField } from '#/kit/forms/fields.tsx'
import { offeredInstances } from '#/features/instances/queries.ts'
import { allGateways, allSubnets } from '../queries.ts'

interface FieldProps {
  name: string
  label: string
}

interface TextProps extends FieldProps {
  example: string
}

interface NameProps extends FieldProps {
  project: string
  vpc: string
}

export const AddressField = (props: TextProps) => (
  <EndText {...props} placeholder="Enter an IP" problem={ipProblem} />
)

export const NetworkField = (props: TextProps) => (
  <EndText {...props} placeholder="Enter an IP network" problem={ipNetProblem} />
)

interface EndTextProps extends TextProps {
  placeholder: string
  problem: (text: string) => string | undefined
}

/** An empty value gets the same message as an invalid address. */
function EndText({ name, label, example, placeholder, problem }: EndTextProps) {
  const { input, error } = useTextField(name, (text) => problem(text.trim()))
  return (
    <Field label={label} hint={`For example ${example}`} error={error}>
      <TextInput {...input} mono placeholder={placeholder} />
    </Field>
  )
}

export function SubnetField({ project, vpc, ...field }: NameProps) {
  const subnets = useQuery(allSubnets(project, vpc))
  return (
    <ChoiceField
      {...field}
      placeholder="Select a subnet"
      {...choicesOf(subnets)}
      options={(subnets.data ?? []).map(({ name, ipv4Block }) => ({
        value: name,
        label: name,
        detail: ipv4Block,
      }))}
    />
  )
}

export function InstanceField({ project, ...field }: Omit<NameProps, 'vpc'>) {
  const instances = useOffered(offeredInstances(project))
  return (
    <ChoiceField
      {...field}
      placeholder="Select an instance"
      {...choicesOf(instances)}
      options={(instances.data ?? []).map(described)}
    />
  )
}

export function GatewayField({ project, vpc, ...field }: NameProps) {
  const gateways = useQuery(allGateways(project, vpc))
  return (
    <ChoiceField
      {...field}
      placeholder="Select an internet gateway"
      {...choicesOf(gateways)}
      options={(gateways.data ?? []).map(described)}
    />
  )
}

const described = ({ name, description }: { name: string; description: string }) => ({
  value: name,
  label: name,
  ...(description && { detail: description }),
})
