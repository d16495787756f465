import { classes } from '../classes.ts'

/** A placeholder for loading content. Give it the size of the content. */
export function Skeleton({ className = 'h-3 w-24' }: { className?: string }) {
  return <span aria-hidden className={classes('skeleton inline-block max-w-full align-middle', className)} />
}
