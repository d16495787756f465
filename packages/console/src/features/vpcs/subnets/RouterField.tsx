import { useQuery } from '@tanstack/react-query'
import { choicesOf } from '#/kit/list/choices-of.ts'
import { ChoiceField } from '#/kit/forms/choice-fields.tsx'
import { allRouters } from '../queries.ts'

const none = 'none'

/** Converts a subnet's router to the field's value and back: the API represents no router by leaving it out. */
export const routerChoice = (id: string | null | undefined): string => id ?? none
export const routerOf = (choice: string): { customRouter?: string } =>
  choice === none ? {} : { customRouter: choice }

/** The custom routers of the VPC. The system router serves all subnets in any case. */
export function RouterField({ project, vpc }: { project: string; vpc: string }) {
  const routers = useQuery(allRouters(project, vpc))
  const custom = (routers.data ?? []).filter(({ kind }) => kind === 'custom')
  return (
    <ChoiceField
      name="customRouter"
      label="Custom router"
      placeholder="Select a custom router"
      {...choicesOf(routers)}
      options={[
        { value: none, label: 'None' },
        ...custom.map(({ id, name, description }) => ({
          value: id,
          label: name,
          ...(description && { detail: description }),
        })),
      ]}
    />
  )
}
