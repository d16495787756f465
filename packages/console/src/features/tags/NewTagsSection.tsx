// @chunk tag-forms: of the dialogs that edit tags, which open on demand.
import type { DemandableKind } from '@gantry/api/tags/tag-demand.rules'
import { useQuery } from '@tanstack/react-query'
import { newTagsField } from '#/kit/forms/form-props.ts'
import { useOpenOnError } from '#/kit/forms/use-open-on-error.ts'
import { Accordion } from '#/ui/Accordion.tsx'
import { formatSeries } from '#/ui/data/format-amounts.ts'
import { demandedFor, tagDemand } from './demand.ts'
import { TagFields } from './TagFields.tsx'

interface Props {
  kind: DemandableKind
  project?: string
}

/** Closed, unless the silo demands tags of new objects of this kind. */
export function NewTagsSection({ kind, project }: Props) {
  const ref = useOpenOnError([newTagsField])
  const { data, isPending } = useQuery(tagDemand)
  const demanded = demandedFor(data, kind)
  // Whether it is open is decided once, when it is known.
  if (isPending) return <div className="h-12 border-y border-line" />
  return (
    <div ref={ref}>
      <Accordion title="Tags" {...(demanded.length > 0 && { detail: 'Required', defaultOpen: true })}>
        {demanded.length > 0 && (
          <p className="mb-3 text-sm text-muted">
            This silo wants {formatSeries(demanded)} on{' '}
            {kind === 'instance' ? 'new instances and their disks' : 'what is created'}.
          </p>
        )}
        <TagFields name={newTagsField} kind={kind} project={project} demanded={demanded} />
      </Accordion>
    </div>
  )
}
