import type { TrialSubject } from '@gantry/api/rack-network/network-trial.rules'
import { sql } from 'kysely'
import type { TaskSource } from '../tasks/source.ts'

const subjects: Record<TrialSubject, string> = {
  allow_list: 'allow-list',
  switch_port: 'switch-port',
  switch_port_settings: 'switch-port-settings',
}

/** Changes of the rack's network that revert unless a user confirms them. */
export const networkTrialTasks: TaskSource = {
  kind: 'network-trial',
  open: sql`SELECT id FROM network_trial WHERE state = 'running'`,
  read: async (cx, begun) => {
    const ids = begun.map(({ object_id }) => object_id)
    if (ids.length === 0) return new Map()
    const rows = await cx.db
      .selectFrom('network_trial')
      .select(['id', 'subject', 'subject_id', 'state', 'time_ended', 'time_expires'])
      .where('id', 'in', ids)
      .execute()
    const trials = new Map(rows.map((row) => [row.id, row]))
    return new Map(
      begun.flatMap(({ id, object_id }) => {
        const trial = trials.get(object_id)
        if (!trial) return []
        const { state, subject, subject_id, time_ended } = trial
        const isOpen = state === 'running'
        return [
          [
            id,
            {
              verb: 'change',
              object: { kind: subjects[subject], id: subject_id, name: null },
              state: isOpen ? 'needs_attention' : state === 'confirmed' ? 'finished' : 'cancelled',
              time_ended,
              actions: isOpen
                ? [
                    { action: 'confirm', operation: 'network_trial_confirm', target: trial.id },
                    { action: 'cancel', operation: 'network_trial_revert', target: trial.id },
                  ]
                : [],
            },
          ],
        ]
      }),
    )
  },
}
