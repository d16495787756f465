import { classes } from './classes.ts'

/** The place of something on its way. Give it the size of what comes. */
export function Skeleton({ className = 'h-3 w-24' }: { className?: string }) {
  return <span aria-hidden className={classes('skeleton inline-block max-w-full align-middle', className)} />
}
