import { z } from 'zod'
import { type FilteredKind, sortsOf } from '../filter/list-kinds.rules.ts'
import { filterMaxLength } from '../filter/filter-text.rules.ts'
import { maybe, paging, text } from '../schema.ts'

/** A page token also carries the filters, in which a character can take six bytes. */
export const sortedPageTokenMax = 6144

const tooLong = `A filter has at most ${filterMaxLength} characters. Shorten it.`
/** Terms such as `state:failed created<7d -name:test*`. */
export const filterText = maybe(text(filterMaxLength, tooLong))

/** The query of a list that is filtered and sorted; `place` says where to look, and `more` is of that list alone. */
export function filteredQuery<Place extends z.ZodRawShape, More extends z.ZodRawShape>(
  kind: FilteredKind,
  place: Place,
  more: More,
) {
  const sorts = sortsOf(kind)
  const query = z.object({
    ...paging(sortedPageTokenMax),
    ...place,
    filter: filterText,
    sort_by: maybe(z.enum(sorts)),
    ...more,
  })
  return { query, sorts }
}
