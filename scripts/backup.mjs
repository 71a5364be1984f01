import { runBackupProgram } from './backup-program.mjs';

/** `npm run -s backup -- --to FILE.tar.gz`: database, attachments and pictures in one file, whether or not a server runs. */
await runBackupProgram('backup');
