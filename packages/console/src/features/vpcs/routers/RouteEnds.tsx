import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useFormContext, useWatch } from 'react-hook-form'
import { Field } from '#/ui/inputs/Field.tsx'
import { Note } from '#/ui/feedback/Note.tsx'
import { Select, type SelectOption } from '#/ui/inputs/Select.tsx'
import { useFormField } from '#/kit/forms/fields.tsx'
import { AddressField, GatewayField, InstanceField, NetworkField, SubnetField } from './end-fields.tsx'
import { allRoutes } from './queries.ts'
import { destinationChoices, type RouteValues, sameDestination, targetChoices } from './route-values.ts'

interface VpcScope {
  project: string
  vpc: string
}

interface DestinationProps extends VpcScope {
  router: string
  ownId: string | undefined
}

/** The packets that a route matches. */
export function DestinationFields({ project, vpc, router, ownId }: DestinationProps) {
  const type = useWatch<RouteValues, 'destinationType'>({ name: 'destinationType' })
  return (
    <>
      <TypeField end="destination" label="Destination type" choices={destinationChoices(type)} />
      {destinationValue(type, { project, vpc })}
      <SameDestination project={project} vpc={vpc} router={router} ownId={ownId} />
    </>
  )
}

function destinationValue(type: RouteValues['destinationType'], scope: VpcScope): ReactNode {
  const field = { name: 'destination', label: 'Destination value' }
  switch (type) {
    case 'ip':
      return <AddressField key={type} {...field} example="192.168.1.222 or fd00::1" />
    case 'ip_net':
      return <NetworkField key={type} {...field} example="192.168.0.0/16 or fd00::/64" />
    case 'subnet':
    case 'vpc':
      return <SubnetField key={type} {...field} {...scope} />
    default:
      throw new Error(type satisfies never)
  }
}

/** Where a route sends them. */
export function TargetFields(scope: VpcScope) {
  const type = useWatch<RouteValues, 'targetType'>({ name: 'targetType' })
  return (
    <>
      <TypeField end="target" label="Target type" choices={targetChoices(type)} />
      {targetValue(type, scope)}
    </>
  )
}

function targetValue(type: RouteValues['targetType'], scope: VpcScope): ReactNode {
  const field = { name: 'target', label: 'Target value' }
  switch (type) {
    case 'ip':
      return <AddressField key={type} {...field} example="10.0.1.5 or fd00::2" />
    case 'instance':
      return <InstanceField key={type} {...field} project={scope.project} />
    case 'internet_gateway':
      return <GatewayField key={type} {...field} {...scope} />
    case 'subnet':
    case 'vpc':
      return <SubnetField key={type} {...field} {...scope} />
    case 'drop':
      return null
    default:
      throw new Error(type satisfies never)
  }
}

interface TypeProps<Type extends string> {
  end: 'destination' | 'target'
  label: string
  choices: readonly SelectOption<Type>[]
}

function TypeField<Type extends string>({ end, label, choices }: TypeProps<Type>) {
  const { setValue, clearErrors } = useFormContext<RouteValues>()
  const { value, onChange, onBlur } = useFormField<Type>(`${end}Type`)
  return (
    <Field label={label}>
      <Select
        options={choices}
        value={value}
        onBlur={onBlur}
        onChange={(type) => {
          onChange(type)
          // An address is not a name, and vice versa.
          setValue(end, '')
          clearErrors(end)
        }}
      />
    </Field>
  )
}

/** The API accepts two routes with one destination, of which one then never takes effect. */
function SameDestination({ project, vpc, router, ownId }: DestinationProps) {
  const { data: routes = [] } = useQuery(allRoutes(project, vpc, router))
  const [type, value] = useWatch<RouteValues, ['destinationType', 'destination']>({
    name: ['destinationType', 'destination'],
  })
  const other = sameDestination({ type, value }, routes, ownId)
  return other ? (
    <Note kind="busy">
      Route <strong>{other.name}</strong> of this router has the same destination. The route whose name sorts
      first is used.
    </Note>
  ) : null
}
