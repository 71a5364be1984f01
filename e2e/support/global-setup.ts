import { baseUrlVariable, dataDirVariable, startInstallation } from './installation';

/** Once a run: one installation of the built product, which all workers use and which is gone afterwards. */
export default async function globalSetup(): Promise<() => Promise<void>> {
  const { baseUrl, dataDir, stop } = await startInstallation();
  process.env[baseUrlVariable] = baseUrl;
  process.env[dataDirVariable] = dataDir;
  return () => stop();
}
