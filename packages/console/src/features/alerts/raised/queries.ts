import { covers, probeClass, subscriptionPattern } from '@gantry/api/system/alert.rules'
import type { OutputOf } from '@gantry/api/client/client'
import * as op from '@gantry/api/client/operations.gen'
import type { Loading } from '#/data/loading.ts'
import { listQuery, opQuery } from '#/data/queries.ts'
import { dayOf } from '#/kit/inputs/day-of.ts'
import { allAlertClasses } from '../queries.ts'
import { type RaisedSearch, raisedSearch } from './search.ts'

export type Alert = OutputOf<'alertList'>['items'][number]

/** Newest first; days that are none are ignored. */
export function raisedAlerts({ class: alertClass, from, to }: RaisedSearch) {
  const [start, end] = [dayOf(from, 0), dayOf(to, 1)]
  return listQuery(op.alertList, {
    query: {
      sortBy: 'time_and_id_descending',
      ...(alertClass && { alertClass }),
      ...(start && { startTime: start }),
      // The server includes the end.
      ...(end && { endTime: new Date(end.getTime() - 1) }),
    },
  })
}

export const alertView = (alertId: string) => opQuery(op.alertView, { path: { alertId } })

/** Why no alert can match a text, known from the classes of the server. */
export function classProblem(text: string, classes: readonly string[] | undefined): string | undefined {
  if (!subscriptionPattern.test(text))
    return 'Name a class such as issue.fault.began, or a pattern such as issue.** for several.'
  if (classes && !classes.some((name) => name !== probeClass && covers(text, name)))
    return `No alert class is ${text}. Choose one of the list, or a pattern such as issue.** for several.`
  return undefined
}

interface Visit {
  context: Loading
  location: { search: Record<string, unknown> }
}

/** Reads the page that the URL names, and the open alert; of a class, first whether there is one. */
export function readRaised({ context, location }: Visit): Promise<void> {
  const search = raisedSearch(location.search)
  const open = search.alert ? [alertView(search.alert)] : []
  return search.class
    ? context.prefetch(allAlertClasses, ...open)
    : context.prefetch(raisedAlerts(search).at(search.page), ...open)
}
