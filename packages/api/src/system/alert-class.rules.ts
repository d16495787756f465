import { kindNoun } from '../kind-noun.rules.ts'
import { kinds } from '../kind.gen.ts'
import { type ActivityAction, activityWords } from '../history/activity.rules.ts'
import { actionsOf, untoldKinds } from '../history/activity-kinds.rules.ts'
import { covers, probeClass } from './alert.rules.ts'
import { issues } from './issue-words.rules.ts'
import type { IssueKind } from './system.rules.ts'

/** Kinds of issues with alerts of their own. */
type AlertedIssue = { [Kind in IssueKind]: (typeof issues)[Kind] extends null ? never : Kind }[IssueKind]
type Event = 'began' | 'ended'
export type IssueClass = `issue.${AlertedIssue}.${Event}`
export type MetricClass = `metric.${'fleet' | 'project'}_threshold.${Event}`
export type ActivityClass = `activity.${string}.${ActivityAction}`
export type AlertClass = typeof probeClass | IssueClass | MetricClass | ActivityClass

const issueClasses = Object.entries(issues).flatMap(([kind, words]) =>
  words
    ? ([
        [`issue.${kind}.began`, words.began],
        [`issue.${kind}.ended`, words.ended],
      ] as const)
    : [],
)

const metricClasses = {
  'metric.fleet_threshold.began': "A measurement crossed the threshold of one of the fleet's saved queries",
  'metric.fleet_threshold.ended': "The threshold of one of the fleet's saved queries is no longer crossed",
  'metric.project_threshold.began': "A measurement crossed the threshold of a project's saved query",
  'metric.project_threshold.ended': "The threshold of a project's saved query is no longer crossed",
} as const satisfies Record<MetricClass, string>

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
const classOf = (kind: string, action: ActivityAction): ActivityClass =>
  `activity.${kind.replaceAll('-', '_')}.${action}`

/** What follows the object, where that is another word than the one before it. */
const afterNoun: Partial<Record<ActivityAction, string>> = {
  took: 'taken',
  unprotected: 'is no longer protected',
}

/** What happens to one kind of object, of those that Activity tells of. */
const activityClasses = kinds
  .filter((kind) => !untoldKinds.has(kind))
  .flatMap((kind) =>
    actionsOf(kind).map((action): [ActivityClass, string] => {
      const done = afterNoun[action] ?? activityWords[action].done.toLowerCase()
      return [classOf(kind, action), `${capital(kindNoun(kind))} ${done}`]
    }),
  )

/** Every class with its description. */
export const alertClasses: ReadonlyMap<string, string> = new Map([
  [probeClass, 'A request that tests whether a receiver is reachable'],
  ...issueClasses,
  ...Object.entries(metricClasses),
  ...activityClasses,
])
export const alertClassNames = [...alertClasses.keys()] as AlertClass[]

export const isAlertClass = (name: string): name is AlertClass => alertClasses.has(name)

/** The class of an entry of activity, by the object that it is about. */
export function activityClass(kind: string, action: ActivityAction): ActivityClass {
  const name = classOf(kind, action)
  return alertClasses.has(name) ? name : classOf(kind, 'edited')
}

const activityPrefix = 'activity.'
export const isActivityClass = (name: string): name is ActivityClass => name.startsWith(activityPrefix)

/** The classes that a subscription covers. */
export const classesOf = (subscription: string): AlertClass[] =>
  alertClassNames.filter((name) => covers(subscription, name))

/** The classes in a refusal: those of activity are too many to name each. */
export const classesInWords: readonly string[] = [
  ...alertClassNames.filter((name) => !isActivityClass(name)),
  'activity.<kind>.<action>',
]
