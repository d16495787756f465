import { useQuery } from '@tanstack/react-query'
import { choicesOf } from '#/kit/list/choices-of.ts'
import { ChoiceField } from '#/kit/forms/choice-fields.tsx'
import { allProjects } from './queries.ts'

interface Props {
  placeholder: string
  onChoose?: (project: string) => void
}

/** Selects a project by name: the value `project` of the form. */
export function ProjectField({ placeholder, onChoose }: Props) {
  const projects = useQuery(allProjects)
  return (
    <ChoiceField
      name="project"
      label="Project"
      placeholder={placeholder}
      {...choicesOf(projects)}
      {...(onChoose && { onChoose })}
      options={(projects.data ?? []).map(({ name, description }) => ({
        value: name,
        label: name,
        ...(description && { detail: description }),
      }))}
    />
  )
}
