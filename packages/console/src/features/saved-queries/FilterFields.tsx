// @chunk apart: the grammar of filters is large, and few saved queries are filters.
import { filterProblem } from '@gantry/api/filter/filter.rules'
import { listKinds, ofProjectKinds } from '@gantry/api/filter/list-kinds.rules'
import { useWatch } from 'react-hook-form'
import { ChoiceField } from '#/kit/forms/choice-fields.tsx'
import { TextField } from '#/kit/forms/fields.tsx'
import { sentenceCase } from '#/ui/data/format.ts'
import type { QueryValues } from './query-values.ts'

const kinds = ofProjectKinds.map((value) => ({ value, label: `${sentenceCase(listKinds[value].noun)}s` }))

/** The filter of a list that a saved query is. */
export function FilterFields({ isNew }: { isNew: boolean }) {
  const filterOf = useWatch<QueryValues, 'filterOf'>({ name: 'filterOf' })
  return (
    <>
      {isNew && <ChoiceField name="filterOf" label="Objects" options={kinds} />}
      <TextField
        name="filter"
        mono
        hint={`As above the list of ${listKinds[filterOf].noun}s, for example tag:env=prod. The threshold applies to how many match.`}
        problem={(text) => filterProblem(filterOf, text)?.message}
      />
    </>
  )
}
